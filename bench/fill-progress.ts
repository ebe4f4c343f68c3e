/** Reports the progress of filling a database, at most every two seconds. */
export function fillProgress(tickets: number, say: (text: string) => void): (done: string) => void {
  let toldAt = Date.now()
  return done => {
    if (Date.now() - toldAt < 2_000) return
    toldAt = Date.now()
    say(`filling ${tickets} tickets: ${done}`)
  }
}
