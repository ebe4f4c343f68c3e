/** The text for staff without `clients.view` and for clients (contract: Errors, 403). */
export const clientViewDenied = 'Access denied: you do not have permission to view clients'
