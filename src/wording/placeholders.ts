/** One placeholder: `{{ticket.number}}`. */
const placeholder = /\{\{([\w.]+)\}\}/g

/** A part that is there under a condition: `{{#closed}}…{{/closed}}`. They do not stand in one another. */
const conditional = /\{\{#([\w.]+)\}\}(.*?)\{\{\/\1\}\}/gs

/** The text with the parts whose condition holds, and without the others. */
export function withParts(text: string, hasPermission: (condition: string) => boolean): string {
  return text.replace(conditional, (_, name: string, part: string) => (hasPermission(name) ? part : ''))
}

/** The text with values in the place of placeholders, in one pass: what stands in a value is never expanded. */
export function withValues(text: string, filling: (name: string) => string): string {
  return text.replace(placeholder, (_, name: string) => filling(name))
}

/** The paragraphs of a text: what blank lines separate. */
export function paragraphsOf(text: string): string[] {
  return text
    .split(/\n[^\S\n]*\n/)
    .map(paragraph => paragraph.trim())
    .filter(paragraph => paragraph !== '')
}

const alone = /^\{\{([\w.]+)\}\}$/

/** The name of the placeholder that is the whole paragraph. */
export function placeholderAlone(paragraph: string): string | undefined {
  return alone.exec(paragraph)?.[1]
}
