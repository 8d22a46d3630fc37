export const declared = []
