export { derivedId, isId, newId, randomPart } from './ids.ts';
