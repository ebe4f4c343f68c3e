/** The text for staff without `clients.view` and for clients (contract: Errors, 403). */
export const mayNotViewClients = 'Access denied: you do not have permission to view clients'
