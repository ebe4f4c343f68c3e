import { mkdir, readdir, readFile as readText, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Command } from 'commander'
import { system } from '../../core/actor.ts'
import { type ArticleFile, exportedArticles, importArticle, readFile } from '../../help/articles/article-files.ts'
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
        printLine(`${files} files written.`)
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
        let refused = 0
        for (const [name, paths] of await articlesIn(folder)) {
          try {
            const files: ArticleFile[] = []
            for (const path of paths) files.push(readFile(await readText(join(folder, path), 'utf8')))
            const caller = { ip: null, requestId: null }
            const whole = files as [ArticleFile, ...ArticleFile[]]
            counts[await importArticle(services, system, caller, whole, isPublishing)]++
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

/** The files of each article: those whose names differ in the language alone, `name.en.md` and `name.de.md`. */
async function articlesIn(folder: string): Promise<Map<string, string[]>> {
  const found = await readdir(folder, { recursive: true })
  const paths = found.filter(path => path.endsWith('.md')).toSorted()
  return Map.groupBy(paths, path => path.replace(/(\.[A-Za-z-]{2,10})?\.md$/, ''))
}
