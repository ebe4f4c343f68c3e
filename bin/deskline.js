#!/usr/bin/env -S node --max-semi-space-size=16
// Plain JavaScript that old versions of Node.js can read as well: they shall say what is wrong, not fail on syntax.
const [major, minor] = process.versions.node.split('.').map(Number)

if (major < 22 || (major === 22 && minor < 19)) {
  process.stderr.write(
    `Deskline needs Node.js 22.19 or newer, and this is ${process.versions.node}: ` +
      'run `npm ci` and start it with `npm start`, which bring the right one.\n'
  )
  // A mail server keeps the mail then, and tries again.
  process.exitCode = process.argv[2] === 'receive' ? 75 : 1
} else {
  start()
}

async function start() {
  const [{ enableCompileCache }, { fileURLToPath }] = await Promise.all([import('node:module'), import('node:url')])
  // Halves what a start costs. Below our own folder, not where anybody may write: what lies there is run. Left out where
  // this user may not write either.
  enableCompileCache(fileURLToPath(new URL('../node_modules/.cache/deskline', import.meta.url)))
  const [command, ...words] = process.argv.slice(2)
  if (command === 'receive') {
    // A service that runs takes the e-mail, so that this process loads nothing else.
    const { handOver } = await import('../src/operation/cli/hand-over.ts')
    const code = await handOver(words)
    if (code !== undefined) process.exit(code)
  }
  const { run } = await import('../src/operation/cli/cli.ts')
  await run(process.argv.slice(2))
}
