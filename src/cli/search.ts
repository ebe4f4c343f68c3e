import type { Command } from 'commander'
import { rebuildSearch } from '../search/rebuild.ts'
import { counted, progress } from './progress.ts'
import { say, withServices } from './world.ts'

export function searchCommand(command: Command): void {
  command
    .command('rebuild')
    .description('make its words anew in SEARCH_LANGUAGE, in batches beside a running server')
    .action(() =>
      withServices(async services => {
        const bar = progress()
        const texts = await rebuildSearch(services, texts => bar.show(counted(texts, 'text'))).finally(bar.clear)
        say(`The search is in ${services.config.SEARCH_LANGUAGE}: made the words of ${counted(texts, 'text')} anew.`)
      })
    )
}
