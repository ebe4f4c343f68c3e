import { mkdir, readFile as readContent, readdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Command } from 'commander'
import { system } from '../../core/actor.ts'
import type { Db } from '../../core/db.ts'
import type { Services } from '../../core/services.ts'
import { type ArticleFile, exportedArticles, importArticle, readFile } from '../../help/articles/article-files.ts'
import { picturePath } from '../../help/articles/picture-path.ts'
import { exportedPictures, importPicture, knownPictures } from '../../help/articles/pictures.ts'
import { counted } from './progress.ts'
import { printLine, withServices } from './with-services.ts'

export function articlesCommand(command: Command): void {
  command
    .command('export')
    .description('write all articles into a folder, one Markdown file for each language')
    .argument('<folder>', 'it is created if it is not there')
    .action((folder: string) =>
      withServices(async ({ db }) => {
        let files = 0
        for await (const { path, text } of exportedArticles(db)) {
          const file = join(folder, path)
          await mkdir(dirname(file), { recursive: true })
          await writeFile(file, text)
          files++
        }
        printLine(`${counted(files, 'file')} and ${counted(await exportPictures(db, folder), 'picture')} written.`)
      })
    )
  command
    .command('import')
    .description('create or change the articles of a folder, as drafts; exits with 1 if any is refused')
    .argument('<folder>', 'what "deskline articles export" has written, or files like these')
    .option('--publish', 'publish them')
    .action((folder: string, { publish: isPublishing = false }: { publish?: boolean }) =>
      withServices(async services => {
        const counts = { created: 0, updated: 0, unchanged: 0 }
        let refused = await importPictures(services, folder)
        for (const [name, paths] of await articlesIn(folder)) {
          try {
            const files: ArticleFile[] = []
            for (const path of paths) files.push(readFile(await readContent(join(folder, path), 'utf8')))
            const whole = files as [ArticleFile, ...ArticleFile[]]
            counts[await importArticle(services, system, origin, whole, isPublishing)]++
          } catch (error) {
            refused++
            printLine(`refused ${name}: ${(error as Error).message}`)
          }
        }
        const { created, updated, unchanged } = counts
        printLine(`${created} created, ${updated} updated, ${unchanged} unchanged, ${refused} refused.`)
        if (refused > 0) process.exitCode = 1
      })
    )
}

const origin = { ip: null, requestId: null }
/** Below the folder, so that the addresses in the Markdown lead to them. */
const picturesFolder = 'help/files'

/** Returns how many it has written. */
async function exportPictures(db: Db, folder: string): Promise<number> {
  let pictures = 0
  for await (const { name, content } of exportedPictures(db)) {
    if (pictures++ === 0) await mkdir(join(folder, picturesFolder), { recursive: true })
    await writeFile(join(folder, picturesFolder, name), content)
  }
  return pictures
}

/** Those that are not here yet. Returns how many were refused. */
async function importPictures(services: Services, folder: string): Promise<number> {
  let refused = 0
  const names = await readdir(join(folder, picturesFolder)).catch(() => [])
  const known = await knownPictures(services.db, names)
  for (const name of names.filter(name => picturePath.test(`/${picturesFolder}/${name}`) && !known.has(name))) {
    try {
      const content = await readContent(join(folder, picturesFolder, name))
      await importPicture(services, system, origin, { name, content })
    } catch (error) {
      refused++
      printLine(`refused ${picturesFolder}/${name}: ${(error as Error).message}`)
    }
  }
  return refused
}

/** The files of each article: those whose names differ in the language alone, `name.en.md` and `name.de.md`. */
async function articlesIn(folder: string): Promise<Map<string, string[]>> {
  const found = await readdir(folder, { recursive: true })
  const paths = found.filter(path => path.endsWith('.md')).toSorted()
  return Map.groupBy(paths, path => path.replace(/(\.[A-Za-z-]{2,10})?\.md$/, ''))
}
