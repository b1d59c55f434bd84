/** How to make the allow rules of a project apply. */
export const trustAdvice = 'Look at them, and if they are fine: loader permissions trust'
