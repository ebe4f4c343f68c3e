/** Whether a password is among the 49,000 most common ones, ignoring case. The list is read on first use. */
export async function isCommonPassword(password: string): Promise<boolean> {
  const { dictionary } = await import('@zxcvbn-ts/language-common')
  return dictionary.passwords.includes(password.toLowerCase())
}
