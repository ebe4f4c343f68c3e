import type { Command } from 'commander'
import { defaultAdmin } from '../../people/staff/first-admin.ts'
import { clients, demoPassword, supporters } from './demo/demo-people.ts'
import { makeDemo } from './demo/make-demo.ts'
import { printLine, withServices } from './with-services.ts'

export function demoCommand(command: Command): void {
  command.action(() =>
    withServices(async services => {
      if (services.config.production) throw new Error('Demo people have published passwords: not in production.')
      const made = await makeDemo(services)
      printLine(made > 0 ? `Created ${made} demo tickets.` : 'The demo data exist already.')
      printLine(`  client     ${clients.ada.email} / ${demoPassword}`)
      printLine(`  supporter  ${supporters.grace.email} / ${demoPassword}`)
      printLine(
        `  admin      ${services.config.ADMIN_EMAIL ?? `${defaultAdmin.email} / ${defaultAdmin.password}`}, unless changed`
      )
    })
  )
}
