export { danishAccount } from '../app/i18n/danish-account.ts';
export { germanAccount } from '../app/i18n/german-account.ts';
