export { isId, newId, randomPart } from './ids.ts';
