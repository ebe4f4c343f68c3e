import mimeTypes from 'mime-types'

const maxFileNameCharacters = 255
const maxFileTypeCharacters = 100

/**
 * The file types that a ticket accepts: images, videos, audio, PDF, office and text documents, archives. Either the extension or the declared
 * type suffices, but what a desktop would execute on a double click, or a browser as a page, is refused whatever its type. `extension` is safe
 * in a stored name; `fileType` is lower-case, without parameters. Undefined: refused.
 */
export function acceptedKind(
  fileName: string,
  declaredType: string
): { extension: string; fileType: string } | undefined {
  const extension = extensionOf(cleanFileName(fileName))
  if (executableExtensions.has(extension)) return undefined

  const typeOfExtension = acceptedTypeOfExtension(extension)
  const declared = declaredType.split(';', 1)[0]!.trim().toLowerCase()
  const fileType = isAcceptedType(declared) ? declared : typeOfExtension
  if (fileType === undefined) return undefined

  return { extension: typeOfExtension === undefined ? usualExtension(fileType) : extension, fileType }
}

/** The base name without directories, control and text-direction characters; never empty, at most 255 characters, extension kept. */
export function cleanFileName(name: string): string {
  const base = name
    .toWellFormed()
    .split(/[/\\]/)
    .at(-1)!
    .replace(/[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/gu, '')
    .trim()
  return base === '' || base === '.' || base === '..' ? 'file' : shortened(base)
}

function shortened(name: string): string {
  const characters = [...name]
  if (characters.length <= maxFileNameCharacters) return name

  const dot = characters.lastIndexOf('.')
  const ending = dot > 0 && characters.length - dot <= 20 ? characters.slice(dot) : []
  return [...characters.slice(0, maxFileNameCharacters - ending.length), ...ending].join('')
}

/** Windows ignores trailing dots and blanks, so that `a.exe. ` is a program there: they must not hide the extension. */
function extensionOf(fileName: string): string {
  const name = fileName.replace(/[. ]+$/, '')
  const dot = name.lastIndexOf('.')
  return dot < 0 ? '' : name.slice(dot + 1).toLowerCase()
}

function acceptedTypeOfExtension(extension: string): string | undefined {
  if (!/^[a-z0-9]{1,16}$/.test(extension)) return undefined
  const type = ownTypes.get(extension) ?? mimeTypes.lookup(extension)
  return type && isAcceptedType(type) ? type : undefined
}

function usualExtension(type: string): string {
  const extension = mimeTypes.extension(type)
  return extension && acceptedTypeOfExtension(extension) !== undefined ? extension : 'bin'
}

function isAcceptedType(type: string): boolean {
  if (type.length > maxFileTypeCharacters || !/^[a-z]+\/[a-z0-9][a-z0-9!#$&^_.+-]*$/.test(type)) return false
  return acceptedFamilies.some(family => type.startsWith(family)) || acceptedTypes.has(type)
}

const acceptedFamilies = [
  'image/',
  'video/',
  'audio/',
  'application/vnd.oasis.opendocument.',
  'application/vnd.openxmlformats-officedocument.',
  'application/vnd.ms-excel',
  'application/vnd.ms-powerpoint',
  'application/vnd.ms-word'
]

const acceptedTypes = new Set([
  // Documents
  'application/pdf',
  'application/x-pdf',
  'application/rtf',
  'application/msword',
  'application/vnd.ms-works',
  'application/vnd.ms-outlook',
  'application/vnd.ms-project',
  'application/vnd.ms-xpsdocument',
  'application/oxps',
  'application/vnd.visio',
  'application/vnd.apple.pages',
  'application/vnd.apple.numbers',
  'application/vnd.apple.keynote',
  'application/x-mspublisher',
  'application/onenote',
  'application/epub+zip',
  'application/postscript',
  'message/rfc822',
  // Encrypted or signed content can be opened only by whoever has the key.
  'application/pkcs7-mime',
  'application/x-pkcs7-mime',
  'application/pgp-encrypted',
  'application/pgp-keys',
  // Text
  'text/plain',
  'text/csv',
  'text/tab-separated-values',
  'text/markdown',
  'text/x-markdown',
  'text/rtf',
  'text/richtext',
  'text/xml',
  'text/json',
  'text/yaml',
  'text/x-yaml',
  'text/calendar',
  'text/vcard',
  'text/x-vcard',
  'text/x-log',
  'text/x-diff',
  'text/x-patch',
  'application/csv',
  'application/json',
  'application/x-ndjson',
  'application/xml',
  'application/yaml',
  'application/x-yaml',
  'application/toml',
  'application/x-tex',
  'application/sql',
  // Archives
  'application/zip',
  'application/x-zip',
  'application/x-zip-compressed',
  'application/gzip',
  'application/x-gzip',
  'application/x-tar',
  'application/x-gtar',
  'application/x-compressed-tar',
  'application/x-7z-compressed',
  'application/vnd.rar',
  'application/x-rar',
  'application/x-rar-compressed',
  'application/x-bzip',
  'application/x-bzip2',
  'application/x-xz',
  'application/x-lzma',
  'application/x-lzip',
  'application/x-compress',
  'application/zstd'
])

/** Types that mime-types does not know, or gets wrong. */
const ownTypes = new Map([
  ['jpg', 'image/jpeg'],
  ['jfif', 'image/jpeg'],
  ['cr2', 'image/x-canon-cr2'],
  ['cr3', 'image/x-canon-cr3'],
  ['nef', 'image/x-nikon-nef'],
  ['arw', 'image/x-sony-arw'],
  ['raw', 'image/x-raw'],
  ['mpp', 'application/vnd.ms-project'],
  ['p7m', 'application/pkcs7-mime'],
  ['asc', 'application/pgp-encrypted'],
  ['pgp', 'application/pgp-encrypted'],
  ['cfg', 'text/plain'],
  ['out', 'text/plain'],
  ['diff', 'text/x-diff'],
  ['patch', 'text/x-patch'],
  ['har', 'application/json'],
  ['jsonl', 'application/x-ndjson'],
  ['ndjson', 'application/x-ndjson'],
  ['tgz', 'application/gzip'],
  ['bz', 'application/x-bzip'],
  ['tbz', 'application/x-bzip2'],
  ['tbz2', 'application/x-bzip2'],
  ['txz', 'application/x-xz'],
  ['lz', 'application/x-lzip'],
  ['lzma', 'application/x-lzma'],
  ['z', 'application/x-compress'],
  ['zst', 'application/zstd']
])

const executableExtensions = new Set(
  [
    'exe com scr pif cpl msi msp mst msix msixbundle appx appxbundle appinstaller application gadget dll ocx sys drv',
    'bat cmd ps1 ps1xml ps2 psc1 psm1 psd1 vb vbe vbs js jse mjs cjs jsx wsf wsh wsc ws sct hta chm hlp inf ins reg',
    'lnk url scf desktop webloc library-ms search-ms settingcontent-ms diagcab msc iso img vhd vhdx dmg pkg app command',
    'sh bash zsh csh ksh fish run elf so dylib deb rpm apk ipa aab snap flatpak appimage jar jnlp class war xll xla xlam ppam',
    'htm html xhtml xht shtml mht mhtml xsl xslt swf php phtml phar asp aspx jsp cgi pl py pyc pyw rb lua wasm'
  ].flatMap(row => row.split(' '))
)
