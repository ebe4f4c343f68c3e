import { settings } from './config.ts'

/** The variables of an environment that look like settings with a typing error, one sentence each; such a setting would be ignored. */
export function misspeltSettings(environment: Record<string, string | undefined>): string[] {
  const names = Object.entries(settings).flatMap(([name, { secret }]) => (secret ? [name, `${name}_FILE`] : [name]))
  return Object.keys(environment).flatMap(given => {
    if (given.length < shortestName || names.includes(given)) return []
    const meant = names.find(name => isNear(given.toUpperCase(), name, name.length < longName ? 1 : 2))
    return meant ? [`${given} is not a setting of Deskline, and is ignored: it may be meant as ${meant}`] : []
  })
}

/** Short names are like others by chance, such as HOST and HOME. */
const shortestName = 6
const longName = 9

function isNear(given: string, name: string, most: number): boolean {
  return Math.abs(given.length - name.length) <= most && distanceOf(given, name) <= most
}

/** How many characters must be added, removed, replaced or exchanged with the next one to make one text of the other. */
function distanceOf(one: string, other: string): number {
  const rows: number[][] = [Array.from({ length: other.length + 1 }, (_, at) => at)]
  for (let i = 1; i <= one.length; i++) {
    const row = [i]
    for (let j = 1; j <= other.length; j++) {
      const isSame = one[i - 1] === other[j - 1]
      let least = Math.min(rows[i - 1]![j]! + 1, row[j - 1]! + 1, rows[i - 1]![j - 1]! + (isSame ? 0 : 1))
      const isExchanged = i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1]
      if (isExchanged) least = Math.min(least, rows[i - 2]![j - 2]! + 1)
      row.push(least)
    }
    rows.push(row)
  }
  return rows.at(-1)!.at(-1)!
}
