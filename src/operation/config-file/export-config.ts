import type { Db } from '../../core/db.ts'
import type { Config } from './config-schemas.ts'
import { fieldsOf, type KindOfDefinition, kindsOfDefinitions, type Shown } from './definitions.ts'
import { type Definition, namesIn } from './references.ts'

/** All definitions that are in use, archived ones left out. */
export async function exportConfig(db: Db): Promise<Config> {
  const config: Record<string, Definition[]> = {}
  for (const kind of kindsOfDefinitions) {
    const shown = (await kind.shown(db)).filter(({ is_archived }) => !is_archived)
    config[kind.list] = await exported(db, kind, shown)
  }
  return config
}

/** These definitions as the file has them, in the same order. */
export async function exported(db: Db, kind: KindOfDefinition, shown: readonly Shown[]): Promise<Definition[]> {
  const { references, inFile = each => each } = kind
  const names = fieldsOf(kind)
  const definitions = shown
    .map(inFile)
    .map(each => Object.fromEntries(names.flatMap(name => (each[name] === undefined ? [] : [[name, each[name]]]))))
  if (!references) return definitions
  const toNames = await namesIn(db, definitions, references)
  return definitions.map(definition => references(definition, toNames))
}
