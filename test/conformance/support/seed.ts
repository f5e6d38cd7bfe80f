/** The same in every run, so that a red one is about the change under test. `npm run torture` plays a new one each time. */
export const seed = 20_261_118;
