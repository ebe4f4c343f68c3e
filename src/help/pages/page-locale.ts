import type { DeskSettings } from '../../core/settings/registry.ts'

const maxHeaderCharacters = 500

/** The language of the help centre that a browser asks for (`Accept-Language`), else that of the desk. */
export function localeFor(
  header: string | undefined,
  { language, help_languages }: Pick<DeskSettings, 'language' | 'help_languages'>
): string {
  const wanted = (header ?? '')
    .slice(0, maxHeaderCharacters)
    .split(',')
    .map(each => {
      const [tag = '', ...parameters] = each.split(';').map(part => part.trim())
      const quality = parameters.find(parameter => parameter.startsWith('q='))
      return { tag: tag.toLowerCase(), weight: quality === undefined ? 1 : Number(quality.slice(2)) || 0 }
    })
    .filter(({ weight }) => weight > 0)
    .toSorted((one, other) => other.weight - one.weight)
  for (const { tag } of wanted) {
    const found =
      help_languages.find(each => each.toLowerCase() === tag) ??
      help_languages.find(each => each.split('-')[0] === tag.split('-')[0])
    if (found !== undefined) return found
  }
  return help_languages.includes(language) ? language : help_languages[0]!
}
