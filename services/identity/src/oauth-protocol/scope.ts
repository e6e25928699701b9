/** Full access as the employee; the only scope an app can have. `web` is for our own pages and never granted. */
export const API_SCOPE = 'api';
