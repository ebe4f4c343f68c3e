/**
 * Gives the memory of bytes back at once; nobody may look at them any more. Chunks of a large file that are left to the garbage collector
 * are up to 64 MB, and every 25 MB of them all that the process holds is searched for garbage. Bytes that are a part of something are
 * left alone: the other parts may be in use.
 */
export function giveBack({ buffer, byteLength }: Uint8Array): void {
  if (byteLength === buffer.byteLength && buffer instanceof ArrayBuffer) buffer.transfer(0)
}
