/** A message as the build compiles it: texts and placeholders. A placeholder is an array of a name, a kind and its choices. */
export type Message = Part[]
export type Messages = Record<string, Message>
type Part = string | [name: string, kind?: 'plural' | 'select', choices?: Choices]
type Choices = Record<string, Message>
type Values = Record<string, string | number>

/** Renders a message: fills its placeholders, and chooses its plurals by the rules of the language. */
export function messageText(message: Message, values: Values, language: string): string {
  return textOf(message, values, language, undefined)
}

function textOf(message: Message, values: Values, language: string, count: number | undefined): string {
  let text = ''
  for (const part of message) {
    if (typeof part === 'string') {
      text += part === '#' && count !== undefined ? numbers(language).format(count) : part
      continue
    }
    const [name, kind, choices] = part
    const value = values[name] ?? ''
    if (!choices) text += value
    else if (kind === 'plural') {
      // A form for an exact number (`=0`) takes precedence over the plural rules of the language.
      const chosen = choices[value] ?? choices[plurals(language).select(Number(value))] ?? choices.other!
      text += textOf(chosen, values, language, Number(value))
    } else text += textOf(choices[value] ?? choices.other!, values, language, count)
  }
  return text
}

const plurals = memoized(language => new Intl.PluralRules(language))
const numbers = memoized(language => new Intl.NumberFormat(language))

/** Creating these is slower than using them, and there is one language at a time. */
function memoized<Made>(make: (language: string) => Made): (language: string) => Made {
  let made: Made | undefined
  return language => {
    made ??= make(language)
    return made
  }
}
