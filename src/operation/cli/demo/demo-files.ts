import { crc32, deflateSync } from 'node:zlib'

export interface DemoFile {
  name: string
  type: string
  content: Buffer
}

const textFile = (name: string, text: string, type = 'text/plain'): DemoFile => ({
  name,
  type,
  content: Buffer.from(text)
})

export const files = {
  printer: { name: 'printer.png', type: 'image/png', content: picture([74, 20, 12], [255, 140, 40]) },
  printerLog: textFile('printer.log', '08:28:31 lp0 warming up\n08:28:59 lp0 on fire\n'),
  order: textFile('order-1842.txt', 'Order 1842\n 2 x difference engine\n 1 x box of punched cards\n'),
  display: { name: 'display-e042.png', type: 'image/png', content: picture([24, 36, 52], [226, 92, 48]) },
  inverterLog: textFile(
    'inverter-log.csv',
    `time,code,watts\n${Array.from({ length: 40 }, (_, at) => `${String(6 + (at >> 2)).padStart(2, '0')}:${String((at % 4) * 15).padStart(2, '0')},${at % 7 === 6 ? 'E-042' : 'OK'},${at % 7 === 6 ? 0 : 900 + at * 61}`).join('\n')}\n`,
    'text/csv'
  ),
  meter: { name: 'meter-cupboard.png', type: 'image/png', content: picture([228, 224, 214], [43, 87, 200]) },
  invoice: textFile('invoice-2026-3391.txt', 'Invoice 2026-3391\n 1 x battery storage 9.6 kWh\n 2 x travel\n')
} satisfies Record<string, DemoFile>

export type FileName = keyof typeof files

/** A PNG in two colours: a diagonal line on a background that gets darker towards the bottom. */
function picture(background: Color, line: Color): Buffer {
  const [width, height] = [480, 320]
  const rows = Array.from({ length: height }, (_, y) => {
    const row = Buffer.alloc(1 + width * 3)
    for (let x = 0; x < width; x++) {
      const isLine = Math.abs(y - (height * 0.75 - x * 0.35)) < 7
      const shade = 1 - (y / height) * 0.35
      for (const [at, value] of (isLine ? line : background).entries()) row[1 + x * 3 + at] = value * shade
    }
    return row
  })
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, 2], 8)
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  const parts = [chunk('IHDR', header), chunk('IDAT', deflateSync(Buffer.concat(rows))), chunk('IEND', Buffer.alloc(0))]
  return Buffer.concat([signature, ...parts])
}

type Color = [number, number, number]

/** A chunk of a PNG file: its length, type, content and checksum. */
function chunk(name: string, content: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(name, 'latin1'), content])
  const framed = Buffer.alloc(named.length + 8)
  framed.writeUInt32BE(content.length, 0)
  framed.set(named, 4)
  framed.writeUInt32BE(crc32(named), named.length + 4)
  return framed
}
