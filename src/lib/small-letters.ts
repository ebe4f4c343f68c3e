/**
 * The same text with a to z in place of A to Z, and nothing else changed: for keys of our own making. Whether two e-mail addresses are
 * the same the database says.
 */
export function smallLetters(text: string): string {
  return text.replace(/[A-Z]/g, letter => letter.toLowerCase())
}
