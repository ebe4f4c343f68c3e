import type { Command } from 'commander'
import { rebuildSearch } from '../../tickets/search/rebuild.ts'
import { counted, progress } from './progress.ts'
import { letRequestsGoFirst, printLine, withServices } from './with-services.ts'

export function searchCommand(command: Command): void {
  command
    .command('rebuild')
    .description('rebuild the index for SEARCH_LANGUAGE, in batches while the server runs')
    .action(() => {
      letRequestsGoFirst()
      return withServices(async services => {
        const bar = progress()
        const texts = await rebuildSearch(services, texts => bar.show(counted(texts, 'text'))).finally(bar.clear)
        printLine(`Rebuilt the search index for ${services.config.SEARCH_LANGUAGE}: ${counted(texts, 'text')}.`)
      })
    })
}
