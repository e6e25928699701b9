export { voicemailChecks } from './voicemails.ts';
