/** What staff without `clients.view` and clients are told (contract: Errors, 403). */
export const mayNotViewClients = 'Access denied: you do not have permission to view clients'
