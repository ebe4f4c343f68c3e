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

/** The browser and system that a user agent claims, of those that we know: never words of its own, which anybody may send. */
export function programOf(userAgent: string): { browser: string; system: string } | undefined {
  const browser = browsers.find(([mark]) => userAgent.includes(mark))?.[1]
  const system = systems.find(([mark]) => userAgent.includes(mark))?.[1]
  return browser && system ? { browser, system } : undefined
}
