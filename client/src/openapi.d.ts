export * from '../../docs/client/openapi.js'
