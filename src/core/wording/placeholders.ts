/** One placeholder: `{{ticket.number}}`. */
const placeholder = /\{\{([\w.]+)\}\}/g

/** A conditional part: `{{#closed}}…{{/closed}}`. They cannot be nested. */
const conditional = /\{\{#([\w.]+)\}\}(.*?)\{\{\/\1\}\}/gs

/** The text with only those conditional parts whose condition is true. */
export function resolveConditions(text: string, isTrue: (condition: string) => boolean): string {
  return text.replace(conditional, (_, name: string, part: string) => (isTrue(name) ? part : ''))
}

/** Replaces the placeholders with values, in one pass: placeholders within a value are not replaced. */
export function withValues(text: string, filling: (name: string) => string): string {
  return text.replace(placeholder, (_, name: string) => filling(name))
}

/** The paragraphs of a text, which blank lines separate. */
export function paragraphsOf(text: string): string[] {
  return text
    .split(/\n[^\S\n]*\n/)
    .map(paragraph => paragraph.trim())
    .filter(paragraph => paragraph !== '')
}

const alone = /^\{\{([\w.]+)\}\}$/

/** The name of the placeholder, if the paragraph is nothing else. */
export function placeholderAlone(paragraph: string): string | undefined {
  return alone.exec(paragraph)?.[1]
}
