/** The shortest password that the service accepts. */
export const minPasswordLength = 6

/** Whether it looks like an e-mail address. Only an e-mail that arrives proves it. */
export function isEmail(text: string): boolean {
  return /^[^\s@]+@[^\s@.]+(\.[^\s@.]+)*\.[^\s@.]{2,}$/.test(text.trim())
}

export function isPhone(text: string): boolean {
  return /^\+?[\d\s()/.-]{6,}$/.test(text.trim())
}
