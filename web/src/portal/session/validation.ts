/** Passwords are at least so long; the service says so too. */
export const minPasswordLength = 6

/** Whether it looks like a whole address. Only an e-mail that arrives proves that it is one. */
export function isEmail(text: string): boolean {
  return /^[^\s@]+@[^\s@.]+(\.[^\s@.]+)*\.[^\s@.]{2,}$/.test(text.trim())
}

export function isPhone(text: string): boolean {
  return /^\+?[\d\s()/.-]{6,}$/.test(text.trim())
}
