/** How many things one message may carry. Both ends keep to it: the page says it where something is put in. */
export const mostAttachments = 100;
