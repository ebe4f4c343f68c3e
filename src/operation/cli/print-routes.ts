import type { Command } from 'commander'
import { endpoints } from '../../endpoints.ts'
import { routesOf } from '../../kit/routes.ts'
import { printJson, printLine } from './with-services.ts'

export function printRoutesCommand(command: Command): void {
  command.option('--json', 'as JSON').action(({ json: isJson }: { json?: true }) => {
    const routes = routesOf(endpoints)
    if (isJson) return printJson(routes)
    const rows = routes.map(route => [route.methods, route.path, route.access, route.summary])
    const widths = [0, 1, 2].map(column => Math.max(...rows.map(row => row[column]!.length)))
    for (const row of rows) printLine(row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  '))
  })
}
