/**
 * Frees the memory of bytes at once; nobody may use them any more. Left to the garbage collector, chunks of a large file take up to 64 MB, and
 * every 25 MB trigger a collection of the whole process. Bytes that share a buffer are left alone: its other parts may be in use.
 */
export function freeBuffer({ buffer, byteLength }: Uint8Array): void {
  if (byteLength === buffer.byteLength && buffer instanceof ArrayBuffer) buffer.transfer(0)
}
