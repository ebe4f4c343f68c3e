import { numberText } from './times.ts'

export interface FileLimits {
  /** The largest size of one file. */
  bytes: number
  /** The most files in one message. */
  count: number
}

/** The service's default limits; the service has the last word. */
export const defaultLimits: FileLimits = { bytes: 25 * 1024 * 1024, count: 10 }

// The service refuses what can be run or shown as a page, whatever its type.
const refused = new Set(
  (
    'exe com scr pif cpl msi msp mst msix appx application gadget dll ocx sys drv bat cmd ps1 psm1 vb vbe vbs js jse mjs cjs jsx wsf wsh ' +
    'wsc ws sct hta chm hlp inf ins reg lnk url scf desktop webloc iso img vhd vhdx dmg pkg app command sh bash zsh csh ksh fish run elf so ' +
    'dylib deb rpm apk ipa aab snap flatpak appimage jar jnlp class war xll xla xlam ppam htm html xhtml xht shtml mht mhtml xsl xslt swf ' +
    'php phtml phar asp aspx jsp cgi pl py pyc pyw rb lua wasm svg'
  ).split(' ')
)

export type FileFault = 'tooLarge' | 'empty' | 'kind' | 'tooMany'

/** Why the service would refuse the file, before it is sent. */
export function fileFaultOf(file: File, place: number, limits: FileLimits = defaultLimits): FileFault | undefined {
  if (place >= limits.count) return 'tooMany'
  if (file.size > limits.bytes) return 'tooLarge'
  if (file.size === 0) return 'empty'
  return refused.has(file.name.split('.').at(-1)!.toLowerCase()) ? 'kind' : undefined
}

/** "1.8 MB", "412 kB" */
export function sizeText(bytes: number): string {
  if (bytes < 1000) return `${numberText(bytes)} B`
  if (bytes < 999_500) return `${numberText(Math.round(bytes / 1000))} kB`
  const megabytes = bytes / 1_000_000
  return `${numberText(megabytes < 10 ? Math.round(megabytes * 10) / 10 : Math.round(megabytes))} MB`
}

/** The files of a paste. Screenshots have no name of their own, so they get one. */
export function pastedFiles(data: DataTransfer | null): File[] {
  return [...(data?.files ?? [])].map(file =>
    file.name === 'image.png' ? new File([file], `screenshot-${stamp()}.png`, { type: file.type }) : file
  )
}

function stamp(): string {
  return new Date().toISOString().slice(0, 19).replace(/[-:]/g, '').replace('T', '-')
}
