export { createClient } from './create-client.js'
export { DesklineError } from './deskline-error.js'
