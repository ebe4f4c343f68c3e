import { existsSync } from 'node:fs'

/** A browser that is installed here, if there is one. */
export const executablePath = [
  process.env.CHROMIUM_PATH,
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable'
].find(path => path && existsSync(path))

export const noChromium = executablePath ? false : 'no Chromium here: install one, or name it in CHROMIUM_PATH'
export const chromiumArguments = ['--no-sandbox', '--disable-gpu', '--disable-background-networking']
