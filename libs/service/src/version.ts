/** The version of every service; they are released together. */
export const VERSION = '0.3.0';
