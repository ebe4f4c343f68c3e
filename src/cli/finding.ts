/** What `doctor` has found out about one thing. */
export interface Finding {
  verdict: 'ok' | 'warn' | 'fail'
  about: string
  /** One sentence. */
  text: string
}
