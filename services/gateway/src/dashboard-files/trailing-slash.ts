import express from 'express';

/** Pages of the dashboard have no trailing slash; an address with one leads to the page. */
export const trailingSlashRouter = express
  .Router({ caseSensitive: true, strict: true })
  .get(['/dashboard/', '/dashboard/:section/', '/dashboard/:section/:item/'], (request, response) => {
    response.redirect(308, request.originalUrl.replace(/\/(?=\?|$)/, ''));
  });
