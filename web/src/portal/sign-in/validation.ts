/** The shortest password that the service accepts. */
export const minPasswordLength = 6

/** Whether a text looks like an e-mail address. Only a delivered e-mail proves it. */
export function isEmail(text: string): boolean {
  return /^[^\s@]+@[^\s@.]+(\.[^\s@.]+)*\.[^\s@.]{2,}$/.test(text.trim())
}

export function isPhone(text: string): boolean {
  return /^\+?[\d\s()/.-]{6,}$/.test(text.trim())
}
