let known = ''

/** The address that somebody has typed in one of the pages around signing in, so that the others do not ask for it again. */
export function rememberedEmail(): string {
  return known
}

export function rememberEmail(email: string): void {
  known = email.trim()
}
