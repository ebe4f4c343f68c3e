import { t } from '../../lib/strings.ts'

const browsers = [
  ['Edg/', 'Edge'],
  ['OPR/', 'Opera'],
  ['Firefox/', 'Firefox'],
  ['FxiOS/', 'Firefox'],
  ['CriOS/', 'Chrome'],
  ['Chrome/', 'Chrome'],
  ['Safari/', 'Safari']
] as const
const systems = [
  ['iPhone', 'iPhone'],
  ['iPad', 'iPad'],
  ['Android', 'Android'],
  ['Windows', 'Windows'],
  ['Mac OS X', 'macOS'],
  ['CrOS', 'ChromeOS'],
  ['Linux', 'Linux']
] as const

/** "Firefox on Windows" if the user agent is known, else the program's own name. */
export function deviceOf(userAgent: string | null): { name: string; isPhone: boolean } {
  if (!userAgent) return { name: t('account.unknownDevice'), isPhone: false }
  const browser = browsers.find(([mark]) => userAgent.includes(mark))?.[1]
  const system = systems.find(([mark]) => userAgent.includes(mark))?.[1]
  const isPhone = system === 'iPhone' || (system === 'Android' && userAgent.includes('Mobile'))
  if (browser && system) return { name: t('account.browserOnSystem', { browser, system }), isPhone }
  return { name: userAgent.split(' ')[0]!.slice(0, 60), isPhone }
}
