/** Whether a password is among the 49,000 commonest, in whatever case. The list is read when it is first asked for. */
export async function isCommonPassword(password: string): Promise<boolean> {
  const { dictionary } = await import('@zxcvbn-ts/language-common')
  return dictionary.passwords.includes(password.toLowerCase())
}
