"""Loans, bills, debts and bankruptcy."""
