/** Lower-cases only A to Z: for keys of our own. Whether two e-mail addresses are equal is up to the database. */
export function asciiLowerCase(text: string): string {
  return text.replace(/[A-Z]/g, letter => letter.toLowerCase())
}
