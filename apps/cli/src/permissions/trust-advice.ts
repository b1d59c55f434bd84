/** How allow rules of a project come to count. */
export const trustAdvice = 'Look at them, and if they are fine: loader permissions trust'
