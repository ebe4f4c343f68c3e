import { readFileSync } from 'node:fs'

type Environment = Record<string, string | undefined>

/**
 * The environment in which each of `names` has the content of the file in `NAME_FILE`, as containers provide secrets, without the final line
 * break; and the errors, one sentence each.
 */
export function withSecretFiles(
  environment: Environment,
  names: readonly string[]
): { environment: Environment; faults: string[] } {
  const faults: string[] = []
  const read: Environment = { ...environment }
  for (const name of names) {
    const path = environment[`${name}_FILE`]?.trim()
    if (!path) continue
    if (environment[name]?.trim()) faults.push(`${name} and ${name}_FILE must not be given together`)
    else read[name] = contentOf(`${name}_FILE ${path}`, path, faults)
  }
  return { environment: read, faults }
}

function contentOf(what: string, path: string, faults: string[]): string | undefined {
  let content: string
  try {
    content = readFileSync(path, 'utf8').replace(/\r?\n$/, '')
  } catch (error) {
    faults.push(`${what} cannot be read (${(error as NodeJS.ErrnoException).code ?? error})`)
    return undefined
  }
  // Nobody means an empty secret.
  if (content.trim() === '') faults.push(`${what} is empty`)
  return content
}
