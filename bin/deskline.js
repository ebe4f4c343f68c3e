#!/usr/bin/env node
// Plain JavaScript that old versions of Node.js can read as well: they shall say what is wrong, not fail on syntax.
const [major, minor] = process.versions.node.split('.').map(Number)

if (major < 22 || (major === 22 && minor < 18)) {
  process.stderr.write(
    `Deskline needs Node.js 22.18 or newer, and this is ${process.versions.node}: ` +
      'run `npm ci` and start it with `npm start`, which bring the right one.\n'
  )
  process.exitCode = 1
} else {
  import('../src/cli/cli.ts').then(({ run }) => run(process.argv.slice(2)))
}
