/** Tells of the filling of a database every other second. */
export function fillingOf(tickets: number, say: (text: string) => void): (done: string) => void {
  let toldAt = Date.now()
  return done => {
    if (Date.now() - toldAt < 2_000) return
    toldAt = Date.now()
    say(`filling ${tickets} tickets: ${done}`)
  }
}
