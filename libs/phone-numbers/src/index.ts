export { type PhoneNumber, readPhoneNumber } from './phone-number.ts';
