export { plainLine } from './plain-line.ts';
export { plainText } from './plain-text.ts';
